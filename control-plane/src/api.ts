import { routesOf } from './domain.ts'
import type { ApiOf } from './http/endpoint.ts'
import { modules } from './modules.ts'

/** All endpoints. To find where one is declared, start at `modules.ts`. */
export const routes = routesOf(modules)

/** Headings of the API reference. */
export const headings = modules.flatMap(({ headings = [] }) => headings)

export type Api = ApiOf<typeof routes>
