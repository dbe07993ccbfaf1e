export { signupKeepers } from './keepers.ts'
