"""``python -m experiments.stability``: do the folds of a data set learn the same program?"""
