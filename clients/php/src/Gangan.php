<?php

// Written by `npm run clients` from openapi.json.

declare(strict_types=1);

namespace Gangan;

/** A service, and a key of it. */
final class Gangan
{
    public readonly Resources\Sms $sms;
    public readonly Resources\Campaigns $campaigns;
    public readonly Resources\Senders $senders;
    public readonly Resources\Optouts $optouts;
    public readonly Resources\Inbound $inbound;
    public readonly Resources\Media $media;
    public readonly Resources\Conversations $conversations;
    public readonly Resources\Templates $templates;
    public readonly Resources\Whatsapp $whatsapp;
    public readonly Resources\Otp $otp;
    public readonly Resources\Airtime $airtime;
    public readonly Resources\Lookup $lookup;
    public readonly Resources\Contacts $contacts;
    public readonly Resources\People $people;
    public readonly Resources\Balance $balance;
    public readonly Resources\Requests $requests;
    public readonly Resources\Analytics $analytics;
    public readonly Resources\Settings $settings;
    public readonly Resources\Callbacks $callbacks;
    public readonly Resources\Webhooks $webhooks;
    public readonly Resources\Hooks $hooks;
    public readonly Resources\Smpp $smpp;
    public readonly Resources\Sandbox $sandbox;

    /**
     * @param float $timeout_s for each try
     * @param int $tries the first one and those after it, where a request may be repeated
     */
    public function __construct(string $key, string $url = 'http://127.0.0.1:8080', float $timeout_s = 30, int $tries = 4)
    {
        $call = new Call($key, $url, $timeout_s, $tries);
        $this->sms = new Resources\Sms($call);
        $this->campaigns = new Resources\Campaigns($call);
        $this->senders = new Resources\Senders($call);
        $this->optouts = new Resources\Optouts($call);
        $this->inbound = new Resources\Inbound($call);
        $this->media = new Resources\Media($call);
        $this->conversations = new Resources\Conversations($call);
        $this->templates = new Resources\Templates($call);
        $this->whatsapp = new Resources\Whatsapp($call);
        $this->otp = new Resources\Otp($call);
        $this->airtime = new Resources\Airtime($call);
        $this->lookup = new Resources\Lookup($call);
        $this->contacts = new Resources\Contacts($call);
        $this->people = new Resources\People($call);
        $this->balance = new Resources\Balance($call);
        $this->requests = new Resources\Requests($call);
        $this->analytics = new Resources\Analytics($call);
        $this->settings = new Resources\Settings($call);
        $this->callbacks = new Resources\Callbacks($call);
        $this->webhooks = new Resources\Webhooks($call);
        $this->hooks = new Resources\Hooks($call);
        $this->smpp = new Resources\Smpp($call);
        $this->sandbox = new Resources\Sandbox($call);
    }
}
