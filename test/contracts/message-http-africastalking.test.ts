import { httpNetwork } from './http-network.ts'
import { messageCarrierContract } from './message-carrier.ts'

messageCarrierContract('africastalking', httpNetwork('africastalking'))
