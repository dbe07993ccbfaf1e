import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/*/tables.ts', './src/*/*/tables.ts', './src/domains/*/*/tables.ts'],
  out: './migrations',
})
