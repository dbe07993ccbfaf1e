export { otherAnnouncement } from './announcement.ts'
export { currentLook, publicLook } from './look.ts'
export { lookOfMails } from './name.ts'
export { coloursOf } from './report.ts'
