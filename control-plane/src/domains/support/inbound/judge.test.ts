import type { SenderCheck } from '@lodge/shared/support/sender-check.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judge } from './judge.ts'

const domain = (
  result: SenderCheck['dmarc']['result'],
  policy: SenderCheck['dmarc']['policy'] = null,
) => ({ dmarc: { result, policy } })
const senders = fc.option(
  fc.record({
    dmarc: fc.record({
      result: fc.constantFrom('pass', 'fail', 'none', 'temperror'),
      policy: fc.constantFrom('none', 'quarantine', 'reject', null),
    }),
  }),
)

const answer = {
  automatic: undefined,
  found: 'token',
  isParticipant: true,
  sender: domain('pass'),
  mailsInTenMinutes: 0,
} as const

describe('a mail', () => {
  it.each([
    ['of the participant', {}],
    ['of a domain without DMARC', { sender: domain('none') }],
    ['that fails a policy which only watches', { sender: domain('fail', 'none') }],
    ['whose sender nobody checked', { sender: null }],
    ['with a token, of a domain that could not be asked', { sender: domain('temperror') }],
    ['of somebody new', { found: undefined, isParticipant: false }],
    ['as the fifth in ten minutes', { mailsInTenMinutes: 4 }],
  ] as const)('%s is accepted', (_what, more) => {
    expect(judge({ ...answer, ...more })).toEqual({ take: 'accepted' })
  })

  it.each([
    ['of another sender', { isParticipant: false }, 'unverified_sender'],
    ['that its domain rejects', { sender: domain('fail', 'reject') }, 'disowned'],
    ['that its domain suspects', { sender: domain('fail', 'quarantine') }, 'disowned'],
    ['that a bridge found forged', { sender: domain('fail') }, 'disowned'],
    [
      'that only refers to ours, of a domain that could not be asked',
      { found: 'reference', sender: domain('temperror') },
      'unchecked',
    ],
    ['of a forged stranger', { found: undefined, sender: domain('fail', 'reject') }, 'disowned'],
    ['as the sixth in ten minutes', { mailsInTenMinutes: 5 }, 'loop'],
  ] as const)('%s is held', (_what, more, because) => {
    expect(judge({ ...answer, ...more })).toEqual({ take: 'held', because })
  })

  it('of a machine is ignored, whoever seems to send it', () => {
    const any = fc.record({
      automatic: fc.constantFrom('bounce', 'auto_reply', 'bulk'),
      found: fc.constantFrom('token', 'reference', undefined),
      isParticipant: fc.boolean(),
      sender: senders,
      mailsInTenMinutes: fc.nat(9),
    })
    fc.assert(fc.property(any, (mail) => void expect(judge(mail).take).toBe('ignored')))
  })

  it('of an unproven sender never speaks for a participant', () => {
    const any = fc.record({
      automatic: fc.constant(undefined),
      found: fc.constantFrom('token', 'reference'),
      isParticipant: fc.boolean(),
      sender: senders,
      mailsInTenMinutes: fc.nat(9),
    })
    fc.assert(
      fc.property(any, (mail) => {
        if (judge(mail).take !== 'accepted') return
        expect(mail.isParticipant).toBe(true)
        const { result, policy } = mail.sender?.dmarc ?? { result: 'none', policy: null }
        expect(result !== 'fail' || policy === 'none').toBe(true)
      }),
    )
  })
})
