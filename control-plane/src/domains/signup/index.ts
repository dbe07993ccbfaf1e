export { requireCaptcha } from './captcha.ts'
export { signupSettings } from './settings.ts'
