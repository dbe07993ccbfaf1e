export { createRegistry, httpMetricsHook } from './http-figures.ts'
export { openMetricsToken } from './metrics-token.ts'
export { operatorRoutes } from './routes.ts'
