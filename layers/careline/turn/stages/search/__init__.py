"""The stages that find the passages of an answer: from what is searched for to what the answer may lean on."""
