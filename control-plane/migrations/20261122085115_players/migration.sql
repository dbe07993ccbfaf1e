ALTER TABLE "server_usage" ADD COLUMN "players" jsonb;
