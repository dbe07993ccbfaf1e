import { phrasebook } from '../phrasebook.ts'
import { audit } from './audit.ts'
import { auditBusiness } from './audit-business.ts'
import { auditServers } from './audit-servers.ts'
import { events } from './events.ts'
import { jobs } from './jobs.ts'
import { panel } from './panel.ts'
import { permissions } from './permissions.ts'
import { problems } from './problems.ts'
import { reasons } from './reasons.ts'
import { refusalsAboutTheHouse } from './refusals-house.ts'
import { refusalsOfWhatIsMissing } from './refusals-missing.ts'
import { refusalsAboutPeople } from './refusals-people.ts'
import { refusalsAboutServers } from './refusals-servers.ts'

/** The German of each declared text. */
export const labels = {
  ...{ ...permissions, ...problems, ...events, ...jobs, ...panel },
  ...{ ...audit, ...auditServers, ...auditBusiness },
}
/** The German of each reason of a refusal. */
export const refusals = {
  ...{ ...refusalsAboutPeople, ...refusalsAboutServers },
  ...{ ...refusalsAboutTheHouse, ...refusalsOfWhatIsMissing },
}

export const say = phrasebook(labels)
/** Reasons stand by themselves, and as values in others. */
export const sayReason = phrasebook(
  { ...panel, ...reasons, ...refusals },
  phrasebook({ ...panel, ...reasons }),
)
