import { plainLine } from './parts.ts'

export const title = (value: string) => ({
  name: 'Name of the server',
  env: 'SERVER_TITLE',
  default: value,
  rules: [{ rule: 'required' as const }, ...plainLine(100)],
})
export const players = (value: number, max: number) => ({
  name: 'Players at most',
  env: 'MAX_PLAYERS',
  default: String(value),
  rules: [
    { rule: 'required' as const },
    { rule: 'integer' as const },
    { rule: 'between' as const, min: 1, max },
  ],
})
export const safeName = (name: string, env: string, value: string) => ({
  name,
  env,
  default: value,
  rules: [
    { rule: 'required' as const },
    { rule: 'regex' as const, pattern: '^[A-Za-z0-9][A-Za-z0-9_ -]{0,63}$', flags: '' },
  ],
})
