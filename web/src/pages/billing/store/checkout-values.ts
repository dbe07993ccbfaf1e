import type { StorePlan } from '@lodge/shared/billing/billing.ts'
import type { Price } from '@lodge/shared/billing/prices.ts'

/** The values of the purchase form; SSH keys are one per line. */
export interface CheckoutValues {
  readonly name: string
  readonly templateId: string
  readonly location: string
  readonly mediumId: string
  readonly user: string
  readonly sshKeys: string
  readonly password: string
}

export const initialCheckout = ({ templates, media }: StorePlan): CheckoutValues => ({
  ...{ name: '', templateId: templates[0]?.id ?? '', location: '' },
  ...{ mediumId: media[0]?.id ?? '', user: 'admin', sshKeys: '', password: '' },
})

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export const checkoutBody = (plan: StorePlan, price: Price, values: CheckoutValues) => ({
  ...{ planId: plan.id, cycle: price.cycle, currency: price.currency },
  ...serverBody(plan, values),
})

/** The server that comes with a plan, if one does. */
export const serverBody = (plan: StorePlan, values: CheckoutValues) => {
  const { name, templateId, location, mediumId, user, sshKeys, password } = values
  const isImage = plan.media.some(({ id, kind }) => id === mediumId && kind !== 'iso')
  const access = isImage
    ? { user, sshKeys: linesOf(sshKeys), ...(password !== '' && { password }) }
    : {}
  return {
    ...(plan.preset && {
      server: {
        ...{ name, templateId, location: location || undefined },
        ...(plan.preset.vm && { vm: { mediumId, ...access } }),
      },
    }),
  }
}
