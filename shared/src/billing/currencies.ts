/** Currencies of ISO 4217 whose smallest unit is not a hundredth, with their number of decimal places. */
const OTHER_DECIMALS: Record<string, number> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
      .split(' ')
      .map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
  ...Object.fromEntries('CLF UYW'.split(' ').map((code) => [code, 4])),
}

/** Currencies of ISO 4217 whose smallest unit is a hundredth. */
const IN_HUNDREDTHS = `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF
  CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG
  HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN
  MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD
  SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`

/**
 * Decimal places of each currency, from the list of ISO 4217 itself: `Intl` gives the habits of a country instead (no
 * places for HUF, which has two), and an amount would be wrong a hundredfold.
 */
export const CURRENCY_DECIMALS: ReadonlyMap<string, number> = new Map([
  ...IN_HUNDREDTHS.split(/\s+/).map((code): [string, number] => [code, 2]),
  ...Object.entries(OTHER_DECIMALS),
])
