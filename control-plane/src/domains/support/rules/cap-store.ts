import { MAX_RULES } from '@lodge/shared/support/rules/rule.ts'
import { sql } from 'drizzle-orm'
import { defineCap } from '../../../db/cap.ts'
import { supportRules } from './tables.ts'

export const ruleCap = defineCap({
  name: 'support rules',
  most: MAX_RULES,
  present: () => sql`select from ${supportRules}`,
  refusal: `There are already ${MAX_RULES} rules: delete some first`,
})
