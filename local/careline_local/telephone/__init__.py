"""What makes a telephone ring at the line: numbers, the trunk and the rule at LiveKit, and what a carrier is told."""
