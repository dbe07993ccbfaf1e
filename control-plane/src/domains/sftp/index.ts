export { openSshServer } from './ssh-server.ts'
