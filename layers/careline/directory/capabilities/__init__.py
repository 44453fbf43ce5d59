"""What the directory answers by itself, without a search and without a model: functions of what is asked to facts."""
