import { routesOf } from './domain.ts'
import type { ApiOf } from './http/endpoint.ts'
import { modules } from './modules.ts'

/** Every endpoint. To find where one lives, start at `modules.ts`. */
export const routes = routesOf(modules)

/** Headings of the API reference. */
export const headings = modules.flatMap(({ headings = [] }) => headings)

export type Api = ApiOf<typeof routes>
