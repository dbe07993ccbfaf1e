-- Handing over need not survive a crash of PostgreSQL: what no dispatcher knows of is handed over again.
ALTER TABLE "job_dispatch" SET UNLOGGED;
