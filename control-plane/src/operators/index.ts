export { createRegistry, httpMetricsHook } from './http-figures.ts'
export { operatorRoutes } from './routes.ts'
