import { httpNetwork } from './http-network.ts'
import { messageCarrierContract } from './message-carrier.ts'

messageCarrierContract('smsgate-local', httpNetwork('smsgate-local'))
