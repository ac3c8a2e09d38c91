import { httpNetwork } from './http-network.ts'
import { messageCarrierContract } from './message-carrier.ts'

messageCarrierContract('kannel', httpNetwork('kannel'))
