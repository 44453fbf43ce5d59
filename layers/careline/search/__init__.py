"""Finding passages: what is asked, how scores are fused, which hits are the same."""
