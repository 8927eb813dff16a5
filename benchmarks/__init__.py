"""What the games cost and how well their players play, measured from the checkout.

    python -m benchmarks.run [GAME …] [--quick]         speed: all of bench_*.py, next to the targets of targets.toml
    python -m benchmarks.compare [A [B]] [--quick]      speed of one commit against another's, both run here in turns
    python -m benchmarks.strength [GAME …] [--quick]    long matches, with lower bounds
    python -m benchmarks.peers.search [GAME …] [--quick]    iterations of tree searches beside OpenSpiel's

All but the comparison append one line to a file of results/: figures, machine, versions, commit; nothing that names a
person or a place. Compare speeds only of lines from one machine, and mind its load.
"""
