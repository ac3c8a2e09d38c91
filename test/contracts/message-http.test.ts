import { describe } from 'vitest'
import { DIALECTS } from '../../src/carriers/http/stand-in/dialects.ts'
import { httpNetwork } from './http-network.ts'
import { messageCarrierContract } from './message-carrier.ts'

describe.each(Object.keys(DIALECTS))('the preset %s', (preset) => {
  messageCarrierContract(preset, httpNetwork(preset))
})
