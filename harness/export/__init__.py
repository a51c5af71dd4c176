"""Runs as tidy tables in files, CSV or Parquet, with a dataset card that says what every column means.

Built from logs, reports, ratings and rates; may import all of these, and no agent, provider or command line.
"""
