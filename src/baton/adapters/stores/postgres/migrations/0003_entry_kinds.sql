-- Entries may be of kinds that 0.1 does not know: it would take a turn that has ended for one that was interrupted.
-- Nothing is rewritten; the version alone keeps an older Baton out.
SELECT 1;
