import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judge } from './judge.ts'

const answer = {
  automatic: undefined,
  found: 'token',
  isParticipant: true,
  dmarc: 'pass',
  mailsInTenMinutes: 0,
} as const

describe('a mail', () => {
  it.each([
    ['of the participant', {}],
    ['of a domain without DMARC', { dmarc: 'none' }],
    ['of somebody new', { found: undefined, isParticipant: false }],
    ['as the fifth in ten minutes', { mailsInTenMinutes: 4 }],
  ] as const)('%s is accepted', (_what, more) => {
    expect(judge({ ...answer, ...more })).toEqual({ take: 'accepted' })
  })

  it.each([
    ['of another sender', { isParticipant: false }, 'unverified_sender'],
    ['of a forged sender', { dmarc: 'fail' }, 'unverified_sender'],
    ['of a forged stranger', { found: undefined, dmarc: 'fail' }, 'unverified_sender'],
    ['as the sixth in ten minutes', { mailsInTenMinutes: 5 }, 'loop'],
  ] as const)('%s is held', (_what, more, because) => {
    expect(judge({ ...answer, ...more })).toEqual({ take: 'held', because })
  })

  it('of a machine is ignored, whoever seems to send it', () => {
    const any = fc.record({
      automatic: fc.constantFrom('bounce', 'auto_reply', 'bulk'),
      found: fc.constantFrom('token', 'reference', undefined),
      isParticipant: fc.boolean(),
      dmarc: fc.constantFrom('pass', 'fail', 'none'),
      mailsInTenMinutes: fc.nat(9),
    })
    fc.assert(fc.property(any, (mail) => void expect(judge(mail).take).toBe('ignored')))
  })

  it('of an unproven sender never speaks for a participant', () => {
    const any = fc.record({
      automatic: fc.constant(undefined),
      found: fc.constantFrom('token', 'reference'),
      isParticipant: fc.boolean(),
      dmarc: fc.constantFrom('pass', 'fail', 'none'),
      mailsInTenMinutes: fc.nat(9),
    })
    fc.assert(
      fc.property(any, (mail) => {
        if (judge(mail).take !== 'accepted') return
        expect(mail.isParticipant && mail.dmarc !== 'fail').toBe(true)
      }),
    )
  })
})
