"""The medical vocabulary: what callers and clinicians call conditions, examinations, medicines and departments."""
