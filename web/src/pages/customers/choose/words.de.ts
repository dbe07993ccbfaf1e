import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({ emailAndName: '{email} ({name})' })
