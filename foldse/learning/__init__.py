"""Rules by covering and trees by splitting."""
