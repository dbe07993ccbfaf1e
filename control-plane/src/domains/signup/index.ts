export { signupArea } from './settings.ts'
