import { MAX_CATEGORIES, MAX_GROUPS } from '@lodge/shared/support/desk.ts'
import { sql } from 'drizzle-orm'
import { defineCap } from '../../../db/cap.ts'
import { supportCategories, supportGroups } from './tables.ts'

export const categoryCap = defineCap({
  name: 'categories of tickets',
  most: MAX_CATEGORIES,
  present: () => sql`select from ${supportCategories}`,
  refusal: `There are already ${MAX_CATEGORIES} categories: change one of them instead`,
})

export const groupCap = defineCap({
  name: 'groups of agents',
  most: MAX_GROUPS,
  present: () => sql`select from ${supportGroups}`,
  refusal: `There are already ${MAX_GROUPS} groups: change one of them instead`,
})
