"""What every game is built from: compiled kernels, state, layout, generator, specification, utility."""
