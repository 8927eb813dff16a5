"""Naive twins: plain-Python implementations written from the rules text alone, to check the kernels against."""
