"""What a run may cost: prices, a forecast beforehand, a budget during it."""
