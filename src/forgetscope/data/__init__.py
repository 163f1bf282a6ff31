"""Where items come from: sources with their provenance, and the data sets shipped with the package."""
