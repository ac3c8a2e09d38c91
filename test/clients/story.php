<?php

require 'vendor/autoload.php';

use Gangan\Errors\ConnectionError;
use Gangan\Errors\InvalidRequestError;
use Gangan\Errors\NotFoundError;
use Gangan\Errors\WebhookVerificationError;
use Gangan\Gangan;

// The same in every language: the requests, and the results on one line of JSON.
$key = getenv('GANGAN_API_KEY');
$gangan = new Gangan($key, getenv('GANGAN_URL'));
$result = [];

$ids = [];
foreach ([1, 2, 3] as $n) {
    $ids[] = $gangan->sms->send(['recipients' => '2348031234567', 'content' => "No. {$n}", 'external_ref' => 'story'])['id'];
}
$found = [];
foreach ($gangan->sms->each(['external_ref' => 'story', 'limit' => 2]) as $message) {
    $found[] = $message['id'];
}
$result['paged'] = $found === array_reverse($ids);
$result['read'] = $gangan->sms->get($ids[0])['content'];

$otp = $gangan->otp->request(['recipient' => '2348031234567']);
try {
    $gangan->otp->verify(['id' => $otp['id'], 'token' => 'wrong1']);
} catch (NotFoundError $fault) {
    $result['otp'] = [$fault->status, $fault->faults[0]['type']];
}
$result['airtime'] = $gangan->airtime->buy(['network' => 'MTN', 'amount' => 100, 'recipient' => '2348031234567'])['status'];
$result['lookup'] = $gangan->lookup->phone(['phone' => '08031234567'])['msisdn'];

$row = $gangan->contacts->rows->create(['columns' => ['Name' => 'Ada', 'Mobile' => '08031234567']])['row'];
$rows = [];
foreach ($gangan->contacts->rows->each(['filters' => [['name' => 'Name', 'operator' => 'equal', 'value' => 'ada']]]) as $one) {
    $rows[] = $one['id'];
}
$result['rows'] = in_array($row['id'], $rows, true);
$gangan->contacts->rows->delete($row['id']);
$result['deleted'] = null;
$result['csv'] = str_contains(explode("\n", $gangan->contacts->rows->export())[0], 'Mobile');

try {
    $gangan->sms->send(['recipients' => 'nobody', 'content' => '']);
} catch (InvalidRequestError $fault) {
    $result['refused'] = $fault->request_id ? array_column($fault->faults, 'field') : [];
    sort($result['refused']);
}

// The first answer to each is lost on its way; the balance tells that it was charged once.
$before = $gangan->balance->get()['balance'];
$lossy = new Gangan($key, getenv('LOSSY_URL'));
$charge = $lossy->sms->send(['recipients' => '2348031234567', 'content' => 'Once'])['meta']['estimate']['charge'];
$result['once'] = $before - $gangan->balance->get()['balance'] == $charge;
try {
    (new Gangan($key, 'http://127.0.0.1:9', tries: 1))->sms->list();
} catch (ConnectionError) {
    $result['unreachable'] = true;
}

['body' => $body, 'headers' => $headers, 'secret' => $secret] = json_decode(getenv('POSTED'), true);
$result['event'] = $gangan->webhooks->verify($body, $headers, $secret)['type'];
try {
    $gangan->webhooks->verify("{$body} ", $headers, $secret);
} catch (WebhookVerificationError $fault) {
    $result['forged'] = (new ReflectionClass($fault))->getShortName();
}
echo json_encode($result), "\n";
