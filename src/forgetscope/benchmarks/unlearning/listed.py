"""What `forgetscope list` says of this benchmark, apart, so that saying it imports nothing else."""

TITLE = "Controllable unlearning"
COMMAND = "forgetscope unlearn"
