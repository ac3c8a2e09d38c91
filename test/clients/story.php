<?php

require 'vendor/autoload.php';

use Gangan\Errors\ConnectionError;
use Gangan\Errors\InvalidRequestError;
use Gangan\Errors\NotFoundError;
use Gangan\Errors\WebhookVerificationError;
use Gangan\Gangan;

// The same in every language: what is asked, and what is told on one line of JSON.
$key = getenv('GANGAN_API_KEY');
$gangan = new Gangan($key, getenv('GANGAN_URL'));
$told = [];

$ids = [];
foreach ([1, 2, 3] as $n) {
    $ids[] = $gangan->sms->send(['recipients' => '2348031234567', 'content' => "No. {$n}", 'external_ref' => 'story'])['id'];
}
$found = [];
foreach ($gangan->sms->each(['external_ref' => 'story', 'limit' => 2]) as $message) {
    $found[] = $message['id'];
}
$told['paged'] = $found === array_reverse($ids);
$told['read'] = $gangan->sms->get($ids[0])['content'];

$otp = $gangan->otp->request(['recipient' => '2348031234567']);
try {
    $gangan->otp->verify(['id' => $otp['id'], 'token' => 'wrong1']);
} catch (NotFoundError $fault) {
    $told['otp'] = [$fault->status, $fault->faults[0]['type']];
}
$told['airtime'] = $gangan->airtime->buy(['network' => 'MTN', 'amount' => 100, 'recipient' => '2348031234567'])['status'];
$told['lookup'] = $gangan->lookup->phone(['phone' => '08031234567'])['msisdn'];

$row = $gangan->contacts->rows->create(['columns' => ['Name' => 'Ada', 'Mobile' => '08031234567']])['row'];
$rows = [];
foreach ($gangan->contacts->rows->each(['filters' => [['name' => 'Name', 'operator' => 'equal', 'value' => 'ada']]]) as $one) {
    $rows[] = $one['id'];
}
$told['rows'] = in_array($row['id'], $rows, true);
$gangan->contacts->rows->delete($row['id']);
$told['deleted'] = null;
$told['csv'] = str_contains(explode("\n", $gangan->contacts->rows->export())[0], 'Mobile');

try {
    $gangan->sms->send(['recipients' => 'nobody', 'content' => '']);
} catch (InvalidRequestError $fault) {
    $told['refused'] = $fault->request_id ? array_column($fault->faults, 'field') : [];
    sort($told['refused']);
}

// The first answer to each is lost on its way; the balance tells that it was charged once.
$before = $gangan->balance->get()['balance'];
$lossy = new Gangan($key, getenv('LOSSY_URL'));
$charge = $lossy->sms->send(['recipients' => '2348031234567', 'content' => 'Once'])['meta']['estimate']['charge'];
$told['once'] = $before - $gangan->balance->get()['balance'] == $charge;
try {
    (new Gangan($key, 'http://127.0.0.1:9', tries: 1))->sms->list();
} catch (ConnectionError) {
    $told['nobody'] = true;
}

['body' => $body, 'headers' => $headers, 'secret' => $secret] = json_decode(getenv('POSTED'), true);
$told['event'] = $gangan->webhooks->verify($body, $headers, $secret)['type'];
try {
    $gangan->webhooks->verify("{$body} ", $headers, $secret);
} catch (WebhookVerificationError $fault) {
    $told['forged'] = (new ReflectionClass($fault))->getShortName();
}
echo json_encode($told), "\n";
