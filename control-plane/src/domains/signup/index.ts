export { signupPeriodicTasks } from './periodic-tasks.ts'
export { signupArea } from './settings.ts'
