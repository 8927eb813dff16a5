"""Writing observations: cells of the state into cells of the observation."""

from pepperenvs.core.jit import kernel


@kernel
def write_cells(out, start, counts):
    """Write counts, [n] of any integer type, into out[start : start + n].

    Through a slice, which LLVM turns into wide moves; a loop over out[start + index] takes twice as long.
    """
    cells = out[start : start + len(counts)]
    for index in range(len(counts)):
        cells[index] = counts[index]
