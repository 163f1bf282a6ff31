"""What judges are asked, in which form they answer, and what becomes of their verdicts."""
