"""Reading tables: any container becomes columns of numbers and categories, and these integer codes.

What a value means does not depend on the container (see `foldse.reading.containers`) or on the dtype of its
column:

- None, NaN, ``pd.NA``, NaT and a masked value are one missing value, which is a category of its own: rules
  may ask for it. A category that was not there at fit is not missing; it is equal to no category of a rule.
- Text is a category, however numeric it looks: '007' is not '7', and neither is the number 7. It is kept as
  it is, blanks at the ends and case included. In ``numeric_features`` text that is a number is read as
  one, and what is none stays a category.
- 1, 1.0, ``np.int8(1)`` and ``Decimal(1)`` are one number, and -0.0 is 0.0. Numbers are compared as 64-bit
  floats: whole numbers beyond 2**53 that no float tells apart are one, and a float32 of 0.1 is, and is
  printed as, 0.10000000149011612.
- True and False are categories and no numbers: True is neither 1 nor 'True'.
- A column of a number dtype holds numbers; one of a text, categorical or bool dtype categories (a number in
  a categorical column is a category); in an object column each value is what its type says. If it held
  numbers only when a model was learned, later text that is a number is one, and a word is a category.
- Infinities are numbers, larger and smaller than all others, but no rule compares with one.
- Dates, times, durations, complex numbers, bytes and whatever else is neither number nor category are an
  error that names the column and says how to convert it.
- Columns are matched by name, in any order: one that the rules use and that is missing is an error, one too
  many a warning. Without names on one side they are matched by position, and all have to be there. Rows pair
  with labels by position, whatever their index.
- Nothing that is given is changed.
"""
