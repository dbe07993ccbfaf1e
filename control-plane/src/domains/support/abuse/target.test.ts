import { expect, test } from 'vitest'
import { targetIn } from './target.ts'

test.each([
  ['203.0.113.7:25565', { host: '203.0.113.7', port: 25565 }],
  ['203.0.113.7', { host: '203.0.113.7', port: undefined }],
  ['Play.Example.com', { host: 'play.example.com', port: undefined }],
  ['https://play.example.com/login?x=1', { host: 'play.example.com', port: 443 }],
  ['http://203.0.113.7:8080/', { host: '203.0.113.7', port: 8080 }],
  ['[2001:db8::7]:80', { host: '2001:db8::7', port: 80 }],
  ['2001:db8::7', { host: '2001:db8::7', port: undefined }],
  ['http://[', undefined],
  ['host:99999999', undefined],
])('%s is about %j', (text, target) => expect(targetIn(text)).toEqual(target))
