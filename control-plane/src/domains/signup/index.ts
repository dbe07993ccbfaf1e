export { signupKeepers } from './keepers.ts'
export { signupArea } from './settings.ts'
