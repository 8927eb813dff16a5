"""The generator: SplitMix64 on a one-cell uint64 array, which is a field of the state.

Source: Steele, Lea, Flood, *Fast Splittable Pseudorandom Number Generators* (OOPSLA 2014), with the mixing constants
of Stafford's variant 13. Bounded numbers by Lemire's multiplication with rejection (*Fast Random Integer Generation in
an Interval*, 2019), so they are exactly uniform.

All functions take the array `rng`, uint64 [1], never a record, and advance it.
"""

import numpy as np

from pepperenvs.core.jit import kernel, wrapping_kernel

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)
_STREAM = np.uint64(0xD1342543DE82EF95)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_LOW32 = np.uint64(0xFFFFFFFF)
_TWO32 = np.uint64(1 << 32)


@wrapping_kernel
def mix(word):
    """A bijection of uint64 that scatters neighbouring words: SplitMix64's output function."""
    word = (word ^ (word >> _S30)) * _MIX_A
    word = (word ^ (word >> _S27)) * _MIX_B
    return word ^ (word >> _S31)


@wrapping_kernel
def next_word(rng):
    """The next 64 random bits, uint64."""
    word = rng[0] + _GAMMA
    rng[0] = word
    return mix(word)


@wrapping_kernel
def seed(rng, number, stream):
    """Start `rng` from a seed.

    number    0 .. 2^63 - 1
    stream    0 for a game's own generator, another number for each independent use of the same seed
    """
    rng[0] = mix(mix(np.uint64(number) + _GAMMA) + np.uint64(stream) * _STREAM)


@wrapping_kernel
def below(rng, bound):
    """A uniform number in 0 .. bound-1, int64; bound 1 .. 2^32 - 1. One word is drawn, rarely more."""
    n = np.uint64(bound)
    product = (next_word(rng) >> _S32) * n
    if (product & _LOW32) < n:
        threshold = (_TWO32 - n) % n
        while (product & _LOW32) < threshold:
            product = (next_word(rng) >> _S32) * n
    return np.int64(product >> _S32)


@kernel
def shuffle(pile, start, stop, rng):
    """Shuffle pile[start:stop] in place (Fisher-Yates)."""
    for last in range(stop - 1, start, -1):
        other = start + below(rng, last - start + 1)
        card = pile[last]
        pile[last] = pile[other]
        pile[other] = card


@kernel
def sort_pile(pile, start, stop):
    """Sort pile[start:stop] in place."""
    for index in range(start + 1, stop):
        card, place = pile[index], index
        while place > start and pile[place - 1] > card:
            pile[place] = pile[place - 1]
            place -= 1
        pile[place] = card


@kernel
def shuffle_anew(pile, start, stop, rng):
    """Sort pile[start:stop] and shuffle it: what comes out does not depend on the order before.

    For `resample_hidden`. A shuffle of the true order could be run backwards by whoever knows the random numbers.
    """
    sort_pile(pile, start, stop)
    shuffle(pile, start, stop, rng)
