import { mailsOf, routesOf } from './domain.ts'
import type { ApiOf } from './http/endpoint.ts'
import { modules } from './modules.ts'

/** All endpoints. To find where one is declared, start at `modules.ts`. */
export const routes = routesOf(modules)

/** Headings of the API reference. */
export const headings = modules.flatMap(({ headings = [] }) => headings)

/** Ids that a value may have, by the name of the list; see `openapi.ts`. */
export const lists = { mails: mailsOf(modules).map(({ id }) => id) }

export type Api = ApiOf<typeof routes>
