import { DEFAULT_SUSPENSION_OPTIONS, SuspensionSettings } from '@lodge/shared/suspensions.ts'
import type { Area } from '../../catalogue.ts'

/** What a suspension does unless whoever suspends chooses otherwise. */
export const suspensionSettings: Area<SuspensionSettings> = {
  name: 'suspension',
  schema: SuspensionSettings,
  initial: {
    options: DEFAULT_SUSPENSION_OPTIONS,
    templates: [
      {
        name: 'Abuse',
        reasonCode: 'abuse',
        text: 'We received reports that your servers were used for abuse, such as attacks, spam or phishing. Please tell us what happened and what you have done about it.',
      },
      {
        name: 'Payment dispute',
        reasonCode: 'payment_fraud',
        text: 'A payment of your account was disputed or looks fraudulent. Please contact us to clear this up.',
      },
      {
        name: 'Terms of service',
        reasonCode: 'terms',
        text: 'Your use of the service breaks our terms. Please read them and tell us how you will keep to them.',
      },
      {
        name: 'Compromised account',
        reasonCode: 'security',
        text: 'Somebody else seems to have had access to your account. We suspended it to protect your data. Please contact us.',
      },
    ],
    appealEnabled: true,
    appealWindowDays: 90,
    retentionDays: 730,
  },
}
