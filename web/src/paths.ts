export { paths } from '@lodge/shared/panel-paths.ts'
