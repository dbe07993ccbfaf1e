import { phrasebook } from '../phrasebook.ts'
import { audit } from './audit.ts'
import { auditBusiness } from './audit-business.ts'
import { auditServers } from './audit-servers.ts'
import { events } from './events.ts'
import { jobs } from './jobs.ts'
import { panel } from './panel.ts'
import { permissions } from './permissions.ts'
import { problems } from './problems.ts'
import { refusalsAboutTheHouse } from './refusals-house.ts'
import { refusalsOfWhatIsMissing } from './refusals-missing.ts'
import { refusalsAboutPeople } from './refusals-people.ts'
import { refusalsAboutServers } from './refusals-servers.ts'

/** The German of each declared text. */
export const phrases = {
  ...{ ...permissions, ...problems, ...events, ...jobs, ...panel },
  ...{ ...audit, ...auditServers, ...auditBusiness },
  ...{ ...refusalsAboutPeople, ...refusalsAboutServers },
  ...{ ...refusalsAboutTheHouse, ...refusalsOfWhatIsMissing },
}

export const say = phrasebook(phrases)
